"""Comparing two results topic by topic, and repeats of one: what `gate compare` does.

sides -> pairing -> cells -> verdict -> text, markdown, json
"""

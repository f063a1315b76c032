"""Models over ONNX Runtime: one session, one tokenizer, and what is made of a text's token vectors."""

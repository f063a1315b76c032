"""`gate prove`: plants every defect that can touch what the settings ask, and shows what catches it."""

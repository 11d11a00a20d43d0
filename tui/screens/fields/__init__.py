"""Data of the store as fields of a form, and the form's answers as changes. Changes nothing."""

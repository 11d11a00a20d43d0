"""What the store knows as fields of a form, and what the form's answers mean. Changes nothing."""

"""What is being written: kept, completed, attached to, sent now or later."""

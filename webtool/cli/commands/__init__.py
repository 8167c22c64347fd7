"""Commands that are not tools: install, doctor, completion and their like. In: arguments. Out: an exit status."""

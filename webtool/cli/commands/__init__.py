"""Commands that are not tools, one module each with main(words) -> exit status. Their help is webtool/help/NAME.md.

Tests: tests/cli/commands/test_others.py
"""

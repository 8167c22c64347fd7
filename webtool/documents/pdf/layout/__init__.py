"""Turn spans of text with positions into blocks in reading order. In: the spans of pages. Out: Blocks, as an HTML tree.

The modules in order: tables takes the tables that are tagged or drawn. lines joins spans to segments. running_heads
takes headers and page numbers. columns and gutters find the reading order and tables without lines. paragraphs makes
blocks. headings finds the headings among them.
Tests: tests/documents/pdf/test_layout.py
"""

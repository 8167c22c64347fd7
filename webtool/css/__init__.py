"""CSS without layout. In: style sheets and a tree. Out: for each element, the Style that its declarations give it.

    cleaning, rules, conditions       text of a sheet -> rules that hold on a screen
    selector_text, selector_parser    text of selectors -> selectors, by pseudo and form_states
    declarations, values, colours     text of a block -> values; properties is the table of all properties
    clipping, transforms, positions, paint    values -> do they hide an element?
    selectors, elements, cascade, deferred    which rules match an element, and which values win
    sheets, variables, appearing      all of that for one page

Which elements that hides from a reader is left to webtool.visibility. Style sheets are never fetched here.
"""

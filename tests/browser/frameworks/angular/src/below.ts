import { Component } from '@angular/core';

@Component({ selector: 'below-part', template: '<p>The part in view has come.</p>' })
export class BelowPart {}

import { Component } from '@angular/core';

@Component({ selector: 'timed-part', template: '<p>The part after a timer has come.</p>' })
export class TimedPart {}

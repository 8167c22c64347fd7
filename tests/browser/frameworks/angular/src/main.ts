// Parts that are loaded late: by a timer, when the browser is idle, in view, and by a click.
import '@angular/compiler';
import { Component, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { BelowPart } from './below';
import { TimedPart } from './parts';

@Component({
  selector: 'app-root',
  imports: [BelowPart, TimedPart],
  template: `<main><h1>Boats</h1>
    @for (row of rows; track row) { <p>{{ row }} is in port.</p> }
    @defer (on timer(900ms)) { <timed-part/> } @placeholder { <p>Fallback 1</p> }
    @defer (on idle) { <p>The idle part has come.</p> } @placeholder { <p>Fallback 2</p> }
    @defer (on interaction) { <p>Planted.</p> } @placeholder { <button>Show the plan</button> }
    <div style="height: 1800px"></div>
    @defer (on viewport) { <below-part/> } @placeholder { <p>Fallback 3</p> }</main>`,
})
class App { rows = ['Cedar', 'Elm']; }

bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });

import { css, html, LitElement } from 'lit';

class HarbourCard extends LitElement {
  static properties = { boats: { type: Array } };
  static styles = css`.unseen { display: none } :host { display: block }`;
  constructor() { super(); this.boats = ['Anna', 'Berta']; }
  render() {
    return html`<article><h2><slot name="title">Untitled</slot></h2><slot></slot>
      <ul>${this.boats.map((boat) => html`<li>${boat}</li>`)}</ul><p class="unseen">Planted words.</p>
      <harbour-foot>${'in the foot'}</harbour-foot></article>`;
  }
}
class HarbourFoot extends LitElement {
  render() { return html`<p>Nested and slotted: <slot></slot></p>`; }
}
customElements.define('harbour-card', HarbourCard);
customElements.define('harbour-foot', HarbourFoot);

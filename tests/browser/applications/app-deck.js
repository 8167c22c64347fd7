import Reveal from 'reveal.js';

Reveal.initialize({ hash: false });

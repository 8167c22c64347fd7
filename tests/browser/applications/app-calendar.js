import { Calendar } from '@fullcalendar/core';
import dayGridPlugin from '@fullcalendar/daygrid';

const events = [{ title: 'Regatta', start: '2026-05-09' }, { title: 'Harbour board', start: '2026-05-12' }];
new Calendar(document.getElementById('month'), { plugins: [dayGridPlugin], initialDate: '2026-05-12', events }).render();

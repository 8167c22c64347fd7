import { Calendar } from '@fullcalendar/core';
import dayGridPlugin from '@fullcalendar/daygrid';

import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Calendar as ReactCalendar, dateFnsLocalizer } from 'react-big-calendar';
import { format, getDay, parse, startOfWeek } from 'date-fns';
import { enUS } from 'date-fns/locale';

const events = [{ title: 'Regatta', start: '2026-05-09' }, { title: 'Harbour board', start: '2026-05-12' }];
new Calendar(document.getElementById('month'), { plugins: [dayGridPlugin], initialDate: '2026-05-12', events }).render();

const localizer = dateFnsLocalizer({ format, parse, startOfWeek, getDay, locales: { 'en-US': enUS } });
const days = [
  { title: 'Regatta', start: new Date(2026, 4, 9, 10), end: new Date(2026, 4, 9, 12) },
  { title: 'Festival', start: new Date(2026, 4, 14), end: new Date(2026, 4, 16), allDay: true },
  { title: 'Harbour board', start: new Date(2026, 4, 12, 9), end: new Date(2026, 4, 12, 10) },
];
for (const defaultView of ['month', 'week'])
  createRoot(document.getElementById(`react-${defaultView}`)).render(
    createElement(ReactCalendar, { localizer, events: days, defaultView, defaultDate: new Date(2026, 4, 12) }));

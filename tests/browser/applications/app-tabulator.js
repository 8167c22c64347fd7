import { TabulatorFull } from 'tabulator-tables';

new TabulatorFull('#grid', {
  height: 320, layout: 'fitColumns',
  data: Array.from({ length: 1000 }, (_, i) => ({ id: i, name: `Light ${i + 1}`, colour: ['red', 'green'][i % 2], height: i + 3 })),
  columns: [{ title: 'Light', field: 'name', frozen: true }, { title: 'Colour', field: 'colour' }, { title: 'Height', field: 'height', hozAlign: 'right' }],
});

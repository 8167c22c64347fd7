import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community';

ModuleRegistry.registerModules([AllCommunityModule]);
const rows = Array.from({ length: 1000 }, (_, i) => ({ name: `Boat ${i + 1}`, port: `Port ${i % 7}`, length: 5 + (i % 30), year: 1950 + (i % 70), afloat: i % 2 === 0 }));
createGrid(document.getElementById('grid'), {
  columnDefs: [
    { field: 'port' }, { field: 'length', headerName: 'Length (m)' }, { field: 'afloat' },
    { field: 'year', pinned: 'right' }, { field: 'name', headerName: 'Boat', pinned: 'left' },
  ],
  rowData: rows, domLayout: 'normal',
});

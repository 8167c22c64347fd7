// A map with an open popup and a tooltip that stays open, a slider, and a number whose digits turn.
import L from 'leaflet';
import Swiper from 'swiper';
import NumberFlow from '@number-flow/react';
import { createElement, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const map = L.map('map').setView([51.5, -0.09], 13);
L.marker([51.5, -0.09]).addTo(map).bindPopup('<b>Harbour office</b><br>12 Quay Street').openPopup();
L.marker([51.505, -0.08]).addTo(map).bindTooltip('Ferries to the islands', { permanent: true });
new Swiper('.swiper');
function Sold() {
  const [value, set] = useState(0);
  useEffect(() => { setTimeout(() => set(4321), 300); }, []);
  return createElement(NumberFlow, { value });
}
createRoot(document.querySelector('#sold')).render(createElement(Sold));

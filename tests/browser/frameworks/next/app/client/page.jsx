// A page that is filled in the browser, with a part that has no text on the server.
'use client';
import { useEffect, useState } from 'react';
import dynamic from 'next/dynamic';

const Later = dynamic(() => import('../later'), { ssr: false, loading: () => <p>Fallback 1</p> });

export default function Page() {
  const [rows, setRows] = useState(null);
  useEffect(() => { fetch('/rows').then((answer) => answer.json()).then(setRows); }, []);
  return <main>
    <h1>Boats</h1>
    {rows ? <ul>{rows.map((row) => <li key={row}>{row}</li>)}</ul> : <p>Fallback 2</p>}
    <Later/>
  </main>;
}

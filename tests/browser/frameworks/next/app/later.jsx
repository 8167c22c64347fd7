export default function Later() { return <p>The part without server rendering has come.</p>; }

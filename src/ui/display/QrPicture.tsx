import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** Returns the dark squares of a QR code as one path, one unit a square. */
function toPath(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
}

/** A QR code of a text that the browser itself knows. Codes of institutions come from the server (`/qr/…`). */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: 2 }), [text]);
  return (
    <svg viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={toPath(rows)} fill="#000" />
    </svg>
  );
}

import { useEffect, useRef, useState, type PointerEvent } from 'react';

interface Props {
  label: string;
  /** hands over the way to read the signature: a PNG data URL, undefined while it is empty */
  register: (read: () => string | undefined) => void;
}

const [width, height] = [600, 200];

/** A signature drawn with a finger, a pen or the mouse – or typed, for those who cannot draw one. */
export function SignaturePad({ label, register }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef(false);
  const drawing = useRef(false);
  const [typed, setTyped] = useState<string | undefined>(undefined);

  const pen = () => canvas.current?.getContext('2d') ?? undefined;
  const clear = () => {
    const context = pen();
    if (!context) return;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    drawn.current = false;
  };
  useEffect(clear, [typed === undefined]);
  useEffect(() => {
    register(() => {
      if (typed !== undefined) {
        if (typed.trim().length < 2) return undefined;
        clear();
        const context = pen();
        if (!context) return undefined;
        context.fillStyle = '#111';
        context.font = `${Math.min(96, 520 / Math.max(2, typed.trim().length))}px serif`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillText(typed.trim(), width / 2, height / 2);
        return canvas.current?.toDataURL('image/png');
      }
      return drawn.current ? canvas.current?.toDataURL('image/png') : undefined;
    });
  });

  const at = (event: PointerEvent<HTMLCanvasElement>): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  };
  const start = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = pen();
    if (!context) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drawing.current = true;
    context.strokeStyle = '#111';
    context.lineWidth = 5;
    context.lineCap = context.lineJoin = 'round';
    context.beginPath();
    context.moveTo(...at(event));
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = pen();
    if (!drawing.current || !context) return;
    event.preventDefault();
    context.lineTo(...at(event));
    context.stroke();
    drawn.current = true;
  };
  const end = () => (drawing.current = false);

  return (
    <fieldset className="card signature">
      <legend>{label}</legend>
      {typed === undefined ? <p className="quiet">请在框内手写签名</p> : null}
      <canvas
        ref={canvas}
        width={width}
        height={height}
        hidden={typed !== undefined}
        role="img"
        aria-label={`${label}手写区，也可以选择打字签名`}
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      />
      {typed !== undefined && (
        <label className="field">
          <span>请输入姓名作为签名</span>
          <input value={typed} maxLength={32} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
      <div className="row">
        {typed === undefined && (
          <button type="button" className="plain" onClick={clear}>
            重签
          </button>
        )}
        <button type="button" className="plain" onClick={() => setTyped(typed === undefined ? '' : undefined)}>
          {typed === undefined ? '以打字方式签名' : '改为手写签名'}
        </button>
      </div>
    </fieldset>
  );
}

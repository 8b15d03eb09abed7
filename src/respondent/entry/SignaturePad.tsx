import { useEffect, useRef, useState, type PointerEvent } from 'react';

interface Props {
  label: string;
  /** receives a function that reads the signature: a PNG data URL, or undefined while it is empty */
  register: (read: () => string | undefined) => void;
}

const [width, height] = [600, 200];

/** A field for a signature by finger, pen or mouse. A respondent who cannot draw can type the name. */
export function SignaturePad({ label, register }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const hasInk = useRef(false);
  const isDrawing = useRef(false);
  const [typedName, setTypedName] = useState<string | undefined>(undefined);

  const pen = () => canvas.current?.getContext('2d') ?? undefined;
  const clear = () => {
    const context = pen();
    if (!context) return;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    hasInk.current = false;
  };
  useEffect(clear, [typedName === undefined]);
  useEffect(() => {
    register(() => {
      if (typedName !== undefined) {
        if (typedName.trim().length < 2) return undefined;
        clear();
        const context = pen();
        if (!context) return undefined;
        context.fillStyle = '#111';
        context.font = `${Math.min(96, 520 / Math.max(2, typedName.trim().length))}px serif`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillText(typedName.trim(), width / 2, height / 2);
        return canvas.current?.toDataURL('image/png');
      }
      return hasInk.current ? canvas.current?.toDataURL('image/png') : undefined;
    });
  });

  const pointOf = (event: PointerEvent<HTMLCanvasElement>): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  };
  const start = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = pen();
    if (!context) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    isDrawing.current = true;
    context.strokeStyle = '#111';
    context.lineWidth = 5;
    context.lineCap = context.lineJoin = 'round';
    context.beginPath();
    context.moveTo(...pointOf(event));
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = pen();
    if (!isDrawing.current || !context) return;
    event.preventDefault();
    context.lineTo(...pointOf(event));
    context.stroke();
    hasInk.current = true;
  };
  const end = () => (isDrawing.current = false);

  return (
    <fieldset className="card signature">
      <legend>{label}</legend>
      {typedName === undefined ? <p className="quiet">请在框内手写签名</p> : null}
      <canvas
        ref={canvas}
        width={width}
        height={height}
        hidden={typedName !== undefined}
        role="img"
        aria-label={`${label}手写区，也可以选择打字签名`}
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      />
      {typedName !== undefined && (
        <label className="field">
          <span>请输入姓名作为签名</span>
          <input value={typedName} maxLength={32} autoComplete="off" onChange={(event) => setTypedName(event.target.value)} />
        </label>
      )}
      <div className="row">
        {typedName === undefined && (
          <button type="button" className="plain" onClick={clear}>
            重签
          </button>
        )}
        <button type="button" className="plain" onClick={() => setTypedName(typedName === undefined ? '' : undefined)}>
          {typedName === undefined ? '以打字方式签名' : '改为手写签名'}
        </button>
      </div>
    </fieldset>
  );
}

import { NumberInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import { MAX_QTY } from '#features/goods/shop/cart.ts';

interface Props {
  label: string;
  /** shows the label above the input, not only to screen readers */
  isLabelled?: boolean;
  qty: number;
  /** null: without limit */
  stock: number | null;
  onChange: (qty: number) => void;
  /** Hears whether what was typed is a quantity. */
  onValid?: (isValid: boolean) => void;
  error?: ReactNode;
}

/** Returns what is wrong with a quantity; undefined when nothing is. */
function faultOf(typed: number | string, stock: number | null): string | undefined {
  if (typeof typed !== 'number' || !Number.isInteger(typed) || typed < 1) return '请填写 1 以上的整数';
  if (stock !== null && typed > stock) return `库存只有 ${formatNumber(stock)} 件`;
  return typed > MAX_QTY ? `一次最多 ${formatNumber(MAX_QTY)} 件` : undefined;
}

/** How many units are ordered. The arrow keys change it by one. What was typed stays, and a fault is shown below. */
export function QtyInput({ label, isLabelled = false, qty, stock, onChange, onValid, error }: Props) {
  const [typed, setTyped] = useState<number | string>(qty);
  // Changed elsewhere, for example by adding the same goods again.
  const [followed, setFollowed] = useState(qty);
  if (followed !== qty) {
    setFollowed(qty);
    setTyped(qty);
  }
  const fault = faultOf(typed, stock);
  return (
    <NumberInput
      {...(isLabelled ? { label } : { 'aria-label': label })}
      w={104}
      min={1}
      max={Math.max(1, Math.min(MAX_QTY, stock ?? MAX_QTY))}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      value={typed}
      error={fault ?? error}
      styles={{ error: { whiteSpace: 'nowrap' } }}
      onChange={(next) => {
        setTyped(next);
        const isValid = faultOf(next, stock) === undefined;
        onValid?.(isValid);
        if (!isValid) return;
        setFollowed(next as number);
        onChange(next as number);
      }}
    />
  );
}

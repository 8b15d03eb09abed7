import { Button, type ButtonProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from '#ui/display/copyText.ts';
import { notify } from '#ui/feedback/notify.ts';

/** A button that copies a text and says so for two seconds. It works without https, too, as in the network of a school. */
export function CopyTextButton({ text, children, ...button }: ButtonProps & { text: string; children: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    if (await copyText(text)) setIsCopied(true);
    else notify.error('浏览器不允许复制，请选中文字后按 Ctrl + C');
  };
  return (
    <Button variant="default" {...button} onClick={() => void copy()}>
      {isCopied ? '已复制' : children}
    </Button>
  );
}

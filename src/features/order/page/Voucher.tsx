import { Anchor, Modal } from '@mantine/core';
import { useState } from 'react';
import classes from '#features/order/page/order.module.css';

/** The voucher of a transfer: a small picture that opens large, and the file itself. A PDF has no picture. */
export function Voucher({ url }: { url: string }) {
  const [hasPicture, setHasPicture] = useState(true);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={classes['voucher']}>
      {hasPicture && (
        <button type="button" aria-label="放大转账凭证" onClick={() => setIsOpen(true)}>
          <img src={url} alt="转账凭证" onError={() => setHasPicture(false)} />
        </button>
      )}
      <Anchor href={url} download size="sm">
        下载凭证
      </Anchor>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="转账凭证" size="xl">
        <img src={url} alt="转账凭证" className={classes['large'] ?? ''} />
      </Modal>
    </div>
  );
}

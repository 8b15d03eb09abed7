import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  size: 'sm' | 'md' | 'lg' | number;
  /** Stands above the page's own dialogs when given. */
  zIndex?: number;
  children: ReactNode;
}

/** A dialog that neither a stray click nor Escape closes: the person has to answer it, or would lose its content. */
export const BlockingDialog = ({ children, ...rest }: Props) => (
  <Modal opened onClose={() => undefined} withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false} {...rest}>
    {children}
  </Modal>
);

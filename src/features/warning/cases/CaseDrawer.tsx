import { Drawer } from '@mantine/core';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';

const CaseView = lazyDialog(() => import('#features/warning/cases/CaseView.tsx').then((file) => file.CaseView));

interface Props {
  /** The case shown; none closes. */
  warningcode: string | undefined;
  /** A step of it is being entered. */
  entering: boolean;
  onStep: (entering: boolean) => void;
  onClose: () => void;
}

/** A case beside the list it was opened from. */
export function CaseDrawer({ warningcode, entering, onStep, onClose }: Props) {
  return (
    <Drawer
      opened={warningcode !== undefined}
      closeOnEscape={!entering}
      onClose={onClose}
      size="min(860px, 100vw)"
      title={`预警个案 ${warningcode ?? ''}`}
      closeButtonProps={{ 'aria-label': '关闭' }}
    >
      {warningcode && <CaseView warningcode={warningcode} narrow onStep={onStep} />}
    </Drawer>
  );
}

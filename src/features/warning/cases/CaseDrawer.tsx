import { Drawer } from '@mantine/core';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';

const CaseView = lazyDialog(() => import('#features/warning/cases/CaseView.tsx').then((file) => file.CaseView));

interface Props {
  /** the open case; undefined closes the drawer */
  warningcode: string | undefined;
  /** true while a form of a step is open: Escape then belongs to the form */
  entering: boolean;
  onStep: (entering: boolean) => void;
  /** shows the case above or below in the list */
  onMove: (warningcode: string) => void;
  onClose: () => void;
}

/** The drawer that shows a case beside the list. */
export function CaseDrawer({ warningcode, entering, onStep, onMove, onClose }: Props) {
  return (
    <Drawer
      opened={warningcode !== undefined}
      closeOnEscape={!entering}
      onClose={onClose}
      returnFocus={false}
      size="min(860px, 100vw)"
      title="预警个案"
      closeButtonProps={{ 'aria-label': '关闭' }}
    >
      {warningcode && <CaseView key={warningcode} warningcode={warningcode} narrow onStep={onStep} onMove={onMove} />}
    </Drawer>
  );
}

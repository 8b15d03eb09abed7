import { ActionIcon } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useState } from 'react';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';

const HelpDrawer = lazyDialog(() => import('#console/help/HelpDrawer.tsx').then((file) => file.HelpDrawer));
const KeySheet = lazyDialog(() => import('#console/shell/search/KeySheet.tsx').then((file) => file.KeySheet));

/** The ? of a screen. The texts load when somebody asks. */
export function HelpButton({ path, title }: { path: string; title: string }) {
  const [open, setOpen] = useState<'help' | 'keys' | null>(null);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        data-help
        aria-label="这一页怎么用"
        title="这一页怎么用"
        onClick={() => setOpen('help')}
      >
        <IconHelp size={18} />
      </ActionIcon>
      {open === 'help' && <HelpDrawer path={path} title={title} onClose={() => setOpen(null)} openKeys={() => setOpen('keys')} />}
      {open === 'keys' && <KeySheet onClose={() => setOpen(null)} />}
    </>
  );
}

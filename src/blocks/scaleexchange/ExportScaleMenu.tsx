import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { can } from '#ui/api/session.ts';
import { download } from '#ui/api/transfer.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { exportForm, type ExportKind } from '#features/scaleexchange/scaleexchange.contract.ts';

const KINDS: readonly { kind: ExportKind; label: string; suffix: string }[] = [
  { kind: 'xlsx', label: 'Excel 表格', suffix: 'xlsx' },
  { kind: 'json', label: '数据文件（用于备份和交换）', suffix: 'json' },
  { kind: 'pdf', label: '空白纸质卷 PDF', suffix: 'pdf' },
];

/** Downloads a version of a questionnaire: Excel, data file, or the blank form on paper. Hidden without the right. */
export function ExportScaleMenu({ formcode, version }: { formcode: string; version?: string | undefined }) {
  const [isBusy, setIsBusy] = useState(false);
  if (!can(exportForm)) return null;
  const fetchFile = (kind: ExportKind, suffix: string) => {
    setIsBusy(true);
    download(exportForm, { formcode, ...(version ? { version } : {}), kind }, { title: `${formcode}.${suffix}` })
      .catch(notifyError)
      .finally(() => setIsBusy(false));
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          loading={isBusy}
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          导出
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {KINDS.map(({ kind, label, suffix }) => (
          <Menu.Item key={kind} onClick={() => fetchFile(kind, suffix)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

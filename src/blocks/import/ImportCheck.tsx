import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { ImportCounts, StagedImport } from '#contract/workbook/importJob.ts';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import type { ImportCalls } from '#blocks/import/importCalls.ts';
import { ClassNumberQuestion, ImportColumns } from '#blocks/import/ImportColumns.tsx';
import { ImportFill } from '#blocks/import/ImportFill.tsx';
import { ImportGrid } from '#blocks/import/ImportGrid.tsx';
import { useImport } from '#blocks/import/useImport.ts';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import classes from './import.module.css';

interface Props<S extends StagedImport, R extends ImportCounts> {
  calls: ImportCalls<S, R>;
  staged: S;
  onDone: (result: R) => void;
  onBack: () => void;
  /** Effects of the import besides its rows. */
  summary?: (verdict: S['verdict']) => ReactNode;
}

/** Second step: the parsed rows, which the reader corrects in place. Then all rows or the valid rows are imported. */
export function ImportCheck<S extends StagedImport, R extends ImportCounts>({
  calls,
  staged,
  onDone,
  onBack,
  summary,
}: Props<S, R>) {
  const { kind } = calls;
  const importing = useImport(calls, staged);
  const { rows, bad, good, attention, missing, state, verdict } = importing;
  const [show, setShow] = useState<'all' | 'bad' | 'look'>(() => (bad > 0 ? 'bad' : 'all'));
  const [busy, setBusy] = useState<'all' | 'good'>();
  const [at, setAt] = useState<number>();
  const { stale } = importing;
  // A row stays while it has the focus, and until the server has checked its last edit.
  const shownRows = useMemo(
    () =>
      show === 'all'
        ? rows
        : rows.filter(
            (row) =>
              row.row === at ||
              (show === 'bad' ? row.errors.length > 0 || stale.has(row.row) : row.errors.length === 0 && row.warnings.length > 0),
          ),
    [rows, show, at, stale],
  );

  const commit = async (skiperror: '0' | '1') => {
    setBusy(skiperror === '1' ? 'good' : 'all');
    try {
      if (!(await importing.flush())) {
        notify.error('修改还没有保存成功，请检查网络后重试');
        return;
      }
      onDone(await calls.commit({ importid: staged.importid, skiperror }));
    } catch (error) {
      notifyError(error);
      await importing.again().catch(notifyError);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <Stack gap="sm">
      {importing.notes.length > 0 && (
        <Alert color="blue" icon={<IconInfoCircle size={18} />}>
          {importing.notes.map((note) => (
            <Text key={note} size="sm">
              {note}
            </Text>
          ))}
        </Alert>
      )}
      <ClassNumberQuestion kind={kind} importing={importing} />
      <ImportColumns importing={importing} />
      {missing.length > 0 && (
        <Alert
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title={`缺少必填列：${missing.map((column) => column.head).join('、')}`}
        >
          请在上面为对应的列选择含义，用“整列填为…”填写，或直接在下表中填写
        </Alert>
      )}
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          aria-label="显示哪些行"
          value={show}
          onChange={(to) => setShow(to as typeof show)}
          data={[
            { value: 'all', label: `全部 ${rows.length}` },
            { value: 'bad', label: `仅看有误 ${bad}` },
            { value: 'look', label: `需留意 ${attention}` },
          ]}
        />
        <ImportFill importing={importing} />
      </Group>
      <ImportGrid importing={importing} rows={shownRows} label="导入预检结果" at={at} onFocusRow={setAt} />
      {summary?.(verdict)}
      <div className={`${classes['foot']} ${classes['kept']}`}>
        <Text size="sm" c={state === 'failed' ? 'red' : 'dimmed'} role="status">
          {state === 'saving' ? '正在保存修改…' : state === 'failed' ? '修改未保存' : '修改已保存，关闭后可继续'}
          {state === 'failed' && (
            <Button variant="subtle" size="compact-sm" onClick={() => void importing.flush()}>
              重试
            </Button>
          )}
        </Text>
        <Button variant="default" onClick={onBack}>
          重新选择文件
        </Button>
        {bad > 0 && (
          <ExportButton action={calls.errors} request={{ importid: staged.importid }} title="错误回执" small>
            错误回执
          </ExportButton>
        )}
        {bad > 0 && good > 0 && (
          <Button variant="default" loading={busy === 'good'} disabled={busy !== undefined} onClick={() => void commit('1')}>
            仅导入正确的 {good} 行
          </Button>
        )}
        <Button
          loading={busy === 'all'}
          disabled={bad > 0 || rows.length === 0 || busy !== undefined}
          title={bad > 0 ? '有误的行改正后才能全部导入' : undefined}
          onClick={() => void commit('0')}
        >
          全部导入
        </Button>
      </div>
    </Stack>
  );
}

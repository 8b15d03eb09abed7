import { ActionIcon, Button, Group, Text, Title, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { ExportScaleMenu } from '#blocks/scaleexchange/ExportScaleMenu.tsx';
import { ImportScaleButton } from '#blocks/scaleexchange/ImportScaleButton.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PhoneLinkButton } from '#blocks/scaleversions/PhoneLinkButton.tsx';
import { PublishDialog } from '#blocks/scaleversions/PublishDialog.tsx';
import type { Fault, Place } from '#domain/scoring/editor/fault.ts';
import { FormType } from '#domain/base/enums.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { notify } from '#ui/feedback/notify.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { checkForm, getFormDiff } from '#features/scaleeditor/scaleeditor.contract.ts';
import type { History } from '#features/scaleeditor/page/edits/history.ts';
import type { SaveState, useSaving } from '#features/scaleeditor/page/useSaving.ts';
import classes from './editor.module.css';

interface Props {
  formcode: string;
  currentVersion: string;
  history: History;
  saving: ReturnType<typeof useSaving>;
  /** the errors that stop publishing */
  errors: readonly Fault[];
  /** leads to a fault */
  onShow: (place: Place) => void;
  onUndo: () => void;
  onRedo: () => void;
  /** takes a definition that was imported */
  onLoad: (scale: Scale) => void;
}

/** The head of the editor: the form, saving, undo and redo, publishing. */
export function EditorBar({ formcode, currentVersion, history, saving, errors, onShow, onUndo, onRedo, onLoad }: Props) {
  const scale = history.present;
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isPublishing, setIsPublishing] = useState(false);
  const openPublishing = () => {
    const [first] = errors;
    if (first) {
      notify.warn(`还有 ${errors.length} 处错误，改正后才能发布`);
      return onShow(first.place);
    }
    // The dialog compares what was just saved.
    for (const action of [getFormDiff, checkForm]) client.removeQueries({ queryKey: [action.name] });
    setIsPublishing(true);
  };
  const isSaved = saving.state.kind === 'saved';
  return (
    <header className={classes['bar']}>
      <div className={classes['name']}>
        <Title order={1} size="h3" fz={18} lineClamp={2}>
          {scale.title || '未命名量表'}
        </Title>
        <Text size="sm" c="dimmed">
          {FormType.label(scale.formtype)} · {scale.items.length} 题 ·{' '}
          {currentVersion ? `现行版本 ${currentVersion}` : '尚未发布'}
        </Text>
      </div>
      <Group gap="xs">
        <SaveWords state={saving.state} onRetry={() => void saving.flush()} />
        <Tooltip label="撤销（Ctrl+Z）">
          <ActionIcon variant="default" size={36} aria-label="撤销" disabled={!history.past.length} onClick={onUndo}>
            <IconArrowBackUp size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="重做（Ctrl+Y）">
          <ActionIcon variant="default" size={36} aria-label="重做" disabled={!history.future.length} onClick={onRedo}>
            <IconArrowForwardUp size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <ImportScaleButton draft={{ title: scale.title, onLoad }} />
        {isSaved && saving.readVersion() > 0 && <ExportScaleMenu formcode={formcode} version="draft" />}
        <PhoneLinkButton formcode={formcode} version="draft" disabled={!isSaved || saving.readVersion() === 0} />
        <Button disabled={!isSaved || saving.readVersion() === 0} onClick={openPublishing}>
          发布
        </Button>
      </Group>
      {isPublishing && (
        <PublishDialog
          formcode={formcode}
          savedVersion={saving.readVersion()}
          onClose={() => setIsPublishing(false)}
          onPublished={() => void navigate(`/evaluating/scale/${formcode}`)}
        />
      )}
    </header>
  );
}

const words = (state: SaveState): string => {
  switch (state.kind) {
    case 'saved':
      return state.time ? `已保存 ${state.time}` : '已保存';
    case 'waiting':
    case 'saving':
      return '保存中…';
    case 'offline':
      return '未保存：网络断开，稍后重试';
    case 'refused':
      return `未保存：${state.message}`;
    case 'conflict':
      return '未保存：他人已修改';
  }
};

/** What became of the last change. Failed saves can be tried again at once. */
function SaveWords({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const hasFailed = state.kind === 'offline' || state.kind === 'refused';
  return (
    <>
      <Text size="sm" c={hasFailed ? 'var(--level-3-ink)' : 'dimmed'} role="status" maw={320}>
        {words(state)}
      </Text>
      {hasFailed && (
        <Button variant="subtle" size="compact-sm" onClick={onRetry}>
          重试
        </Button>
      )}
    </>
  );
}

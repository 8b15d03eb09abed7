import { Alert, Button, Checkbox, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { faultKey, type Fault } from '#domain/scoring/editor/fault.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { getFormDetail } from '#features/form/form.contract.ts';
import { checkForm, getFormDiff, publishForm } from '#features/scaleeditor/scaleeditor.contract.ts';
import { ReplayPanel } from '#blocks/replay/ReplayPanel.tsx';
import { ChangeList } from '#blocks/scaleversions/ChangeList.tsx';
import { partTitles, sizeTexts } from '#blocks/scaleversions/versions.labels.ts';

interface Props {
  formcode: string;
  /** the save that an editor shows; otherwise the dialog reads it */
  savedVersion?: number;
  onClose: () => void;
  onPublished: (version: string) => void;
}

/** Publishing: what changed, the next number, the notices to tick and the changelog. It reads the draft that the server has. */
export function PublishDialog(props: Props) {
  const { formcode, savedVersion, onClose } = props;
  const request = savedVersion === undefined ? { formcode, version: 'draft' } : undefined;
  const draft = useActionQuery(getFormDetail, request, { quiet: true });
  const rowversion = savedVersion ?? draft.data?.rowversion;
  const diff = useActionQuery(getFormDiff, { formcode }, { quiet: true });
  const check = useActionQuery(checkForm, { formcode }, { quiet: true });
  const queries = request ? [draft, diff, check] : [diff, check];
  const failure = queries.find(({ error }) => error)?.error;
  const isReading = queries.some(({ isFetching, data }) => isFetching && !data) || draft.isFetching;
  if (!failure && !isReading && rowversion !== undefined && diff.data && check.data)
    return <PublishForm {...props} rowversion={rowversion} diff={diff.data} faults={check.data.faults} />;
  return (
    <Modal opened onClose={onClose} title="发布量表" size="lg">
      {failure ? (
        <ErrorState error={failure} retry={() => queries.forEach((query) => void query.refetch())} />
      ) : (
        <Skeletons.Page />
      )}
    </Modal>
  );
}

interface FormProps extends Props {
  rowversion: number;
  diff: { changes: Parameters<typeof ChangeList>[0]['changes']; size: string; nextversion: string; from: string };
  faults: readonly Fault[];
}

function PublishForm({ formcode, rowversion, diff, faults, onClose, onPublished }: FormProps) {
  const [changelog, setChangelog] = useState(diff.from ? '' : '首次发布');
  const [ticks, setTicks] = useState<readonly string[]>([]);
  const publish = useActionMutation(publishForm, {
    successMessage: '已发布，新的测评将使用这一版',
    onDone: ({ version }) => onPublished(version),
  });
  const leave = useLeave(changelog !== '' && diff.from !== '', onClose);
  const errors = faults.filter(({ kind }) => kind === 'error');
  const notices = faults.filter(({ kind }) => kind === 'notice');
  const isTrialNeeded = diff.from !== '' && diff.size === 'major';
  const isReady = errors.length === 0 && ticks.length === notices.length && changelog.trim().length >= 2 && diff.size !== 'none';
  return (
    <Modal opened onClose={leave} title={`发布量表：版本 ${diff.nextversion}`} size="lg">
      <Stack>
        <Text size="sm">
          {diff.from ? `与现行版本 ${diff.from} 相比。${sizeTexts[diff.size]}。` : '首次发布。发布后，本机构和下级机构可以使用。'}
        </Text>
        {errors.length > 0 && (
          <Alert color="red" title={`还有 ${errors.length} 处错误，改正后才能发布`}>
            <ul style={{ margin: 0, paddingInlineStart: 18 }}>
              {errors.slice(0, 20).map((fault) => (
                <li key={faultKey(fault)}>{formatFault(fault)}</li>
              ))}
            </ul>
          </Alert>
        )}
        {diff.from !== '' && diff.changes.length > 0 && <ChangeList changes={diff.changes} />}
        {isTrialNeeded && <ReplayPanel kind="version" content={{ formcode }} />}
        {notices.length > 0 && (
          <Checkbox.Group label="请逐条确认以下提示" value={[...ticks]} onChange={setTicks}>
            <Stack gap={8} mt={6}>
              {notices.map((fault) => (
                <Checkbox key={faultKey(fault)} value={faultKey(fault)} label={formatFault(fault)} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <Textarea
          label="更新说明"
          withAsterisk
          description="写明这一版改了什么，使用者会在版本记录里看到"
          autosize
          minRows={2}
          maxLength={500}
          value={changelog}
          onChange={(event) => setChangelog(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            取消
          </Button>
          <Button
            loading={publish.isPending}
            disabled={!isReady}
            onClick={() => publish.mutate({ formcode, rowversion, changelog: changelog.trim(), notices: [...ticks] })}
          >
            发布
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const formatFault = ({ place, message }: Fault): string =>
  `${partTitles[place.part] ?? ''}${place.code ? ` ${place.code}` : ''}：${message}`;

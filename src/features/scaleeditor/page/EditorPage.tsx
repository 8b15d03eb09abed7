import { Alert, Button, Group, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Scale } from '#domain/scoring/scale.ts';
import { getFormDetail } from '#features/form/form.contract.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { Editor } from '#features/scaleeditor/page/Editor.tsx';
import { isSame } from '#features/scaleeditor/page/edits/put.ts';
import { dropLocalCopy, readLocalCopy } from '#features/scaleeditor/page/useSaving.ts';

/** 量表编辑: one form's draft. Without a draft the page begins one from the current version. */
export default function EditorPage() {
  const [params] = useSearchParams();
  const formcode = params.get('formcode') ?? '';
  if (!formcode)
    return (
      <EmptyState title="没有选择量表" hint="请从量表库新建或选择一份量表">
        <Button component={Link} to="/evaluating/evaluationScale">
          打开量表库
        </Button>
      </EmptyState>
    );
  return <LoadedEditor key={formcode} formcode={formcode} />;
}

/** Loads the draft, or the current version where there is none. */
function LoadedEditor({ formcode }: { formcode: string }) {
  const client = useQueryClient();
  // The draft is saved past this answer, so that a later visit must read it again.
  useEffect(() => () => client.removeQueries({ queryKey: [getFormDetail.name] }), [client]);
  const current = useActionQuery(getFormDetail, { formcode }, { quiet: true });
  const hasDraft = current.data?.hasdraft === 1;
  const draft = useActionQuery(getFormDetail, hasDraft ? { formcode, version: 'draft' } : undefined, { quiet: true });
  return (
    <Loaded read={hasDraft ? draft : current} skeleton={<Skeletons.Page />}>
      {(form) =>
        form.canedit === 1 ? (
          <RestoredEditor
            formcode={formcode}
            definition={form.definition}
            rowversion={hasDraft ? form.rowversion : 0}
            currentVersion={form.currentversion === 'draft' ? '' : form.currentversion}
          />
        ) : (
          <EmptyState title="这份量表由其他机构维护" hint="可以在量表库复制一份，再按需要修改">
            <Button component={Link} to={`/evaluating/scale/${formcode}`}>
              查看量表
            </Button>
          </EmptyState>
        )
      }
    </Loaded>
  );
}

interface Props {
  formcode: string;
  definition: Scale;
  rowversion: number;
  currentVersion: string;
}

/** Continues with the local copy of an earlier visit. Asks when somebody saved meanwhile. */
function RestoredEditor({ formcode, definition, rowversion, currentVersion }: Props) {
  // The first answer counts: a later read of the same page must not replace what is being typed.
  const [server] = useState({ definition, rowversion });
  const [copy, setCopy] = useState(() => readLocalCopy(formcode));
  const isSaved = copy && isSame(copy.scale, server.definition);
  const isOlder = copy && !isSaved && copy.rowversion !== server.rowversion;
  if (copy && isOlder)
    return (
      <Modal opened onClose={() => undefined} withCloseButton={false} title="本机有未保存的修改">
        <Text size="sm">上次的修改没有存到服务器，之后又有人保存过这份草稿。请选择从哪一份继续。</Text>
        <Group justify="flex-end" mt="lg">
          <Button
            variant="default"
            onClick={() => {
              dropLocalCopy(formcode);
              setCopy(undefined);
            }}
          >
            载入已保存的版本
          </Button>
          <Button onClick={() => setCopy({ ...copy, rowversion: server.rowversion })}>继续我的修改</Button>
        </Group>
      </Modal>
    );
  const restored = copy && !isSaved ? copy.scale : undefined;
  return (
    <>
      {restored && (
        <Alert color="gray" p="xs" mb="sm" withCloseButton closeButtonLabel="知道了" onClose={() => setCopy(undefined)}>
          已恢复上次未保存的修改。
        </Alert>
      )}
      <Editor
        formcode={formcode}
        initial={restored ?? server.definition}
        saved={restored ? undefined : server.definition}
        rowversion={server.rowversion}
        currentVersion={currentVersion}
      />
    </>
  );
}

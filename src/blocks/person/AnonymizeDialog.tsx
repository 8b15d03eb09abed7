import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { notify } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Link } from '#ui/router/router.tsx';
import { archivePathOf } from '#contract/population.ts';
import { anonymizeCUser, getAnonymization } from '#features/anonymize/anonymize.contract.ts';
import { ReceiptLists } from '#blocks/person/AnonymizeNote.tsx';
import { getCUserPageList, type CUserRow } from '#features/cuser/cuser.contract.ts';

/** Asks for the 匿名化 of a person in two steps: what happens, then a typed confirmation. A request that waits stands instead. */
export function AnonymizeDialog({ row, onClose }: { row: CUserRow; onClose: () => void }) {
  const read = useActionQuery(getAnonymization, { cuserid: row.cuserid });
  const [isSecondStep, setIsSecondStep] = useState(false);
  return (
    <Modal opened onClose={onClose} title={`匿名化“${row.username}”`} size="lg">
      <Loaded read={read} skeleton={<Skeletons.Lines />}>
        {(scope) =>
          scope.waiting ? (
            <Waiting row={row} waiting={scope.waiting} onClose={onClose} />
          ) : isSecondStep ? (
            <Confirm row={row} confirmtext={scope.confirmtext} onBack={() => setIsSecondStep(false)} onClose={onClose} />
          ) : (
            <Preview scope={scope} onNext={() => setIsSecondStep(true)} onClose={onClose} />
          )
        }
      </Loaded>
    </Modal>
  );
}

/** Says that a request waits and where it is answered. */
function Waiting({
  row: { appid, cuserid },
  waiting: { askname, asktime, duetime },
  onClose,
}: {
  row: CUserRow;
  waiting: NonNullable<ResponseOf<typeof getAnonymization>['waiting']>;
  onClose: () => void;
}) {
  return (
    <Stack gap="md">
      <Text size="sm">
        {askname} 于 {asktime.slice(0, 16)} 申请了匿名化，等待另一位同事在 {duetime.slice(0, 16)} 前复核。在此之前资料不变。
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          关闭
        </Button>
        <Button component={Link} to={archivePathOf(appid, cuserid)}>
          打开档案
        </Button>
      </Group>
    </Stack>
  );
}

function Preview({
  scope: { receipt, warningcode, refusal },
  onNext,
  onClose,
}: {
  scope: ResponseOf<typeof getAnonymization>;
  onNext: () => void;
  onClose: () => void;
}) {
  return (
    <Stack gap="md">
      {warningcode !== null ? (
        <Alert color="red" title="预警尚未结案">
          处理中的预警不能匿名化。可以先停用，结案后再匿名化。
        </Alert>
      ) : (
        refusal && (
          <Alert color="orange" role="alert" title="现在还不能匿名化" styles={{ title: { color: 'var(--ink)' } }}>
            {refusal}
          </Alert>
        )
      )}
      <Text size="sm">匿名化不能撤销，因此由两人办理：您提出申请，另一位同事复核。同意之前资料不变。</Text>
      <Text size="sm">退出全部班级和团体，不能再登录作答；并入的旧档案也一并删除。办结后，个人页有可以打印给本人的回执。</Text>
      <ReceiptLists receipt={receipt} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          取消
        </Button>
        <Button color="red" variant="light" disabled={refusal !== ''} onClick={onNext}>
          下一步
        </Button>
      </Group>
    </Stack>
  );
}

function Confirm({
  row,
  confirmtext,
  onBack,
  onClose,
}: {
  row: CUserRow;
  confirmtext: string;
  onBack: () => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const isReady = text.trim() === confirmtext && reason.trim().length >= 5;
  const anonymize = useActionMutation(anonymizeCUser, {
    invalidates: [getCUserPageList, getAnonymization],
    onDone: ({ duetime }) => {
      notify.done(`已提交，等待另一位同事在 ${duetime.slice(0, 16)} 前复核`);
      onClose();
    },
    successMessage: '',
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) anonymize.mutate({ cuserid: row.cuserid, confirmtext, reason });
      }}
    >
      <Stack gap="md">
        <Textarea
          label="匿名化原因"
          description="至少 5 个字，复核的同事会看到，并记入操作审计"
          required
          autosize
          minRows={2}
          maxLength={200}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Text size="sm">请输入“{confirmtext}”确认：</Text>
        <TextInput label="确认文字" autoComplete="off" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            上一步
          </Button>
          <Button type="submit" color="red" disabled={!isReady} loading={anonymize.isPending}>
            提交复核
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

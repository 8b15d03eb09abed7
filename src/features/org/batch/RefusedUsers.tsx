import { Alert, Button, Group, Text } from '@mantine/core';
import type { RefusedUser } from '#features/org/batch/userBatch.contract.ts';

interface Props {
  refused: readonly RefusedUser[];
  /** Disables one user together with the hand-over of the open cases. */
  onHandOver?: (user: RefusedUser) => void;
}

/** Lists the users that a call for many users left unchanged, each with the reason. */
export function RefusedUsers({ refused, onHandOver }: Props) {
  if (refused.length === 0) return null;
  return (
    <Alert color="orange" variant="light" styles={{ title: { color: 'var(--ink)' } }} title={`${refused.length} 人没有改变`}>
      <ul style={{ margin: 0, padding: 0, listStyle: 'none' }} aria-label="没有改变的用户">
        {refused.map((user) => (
          <li key={user.userid}>
            <Group gap="sm" wrap="nowrap" justify="space-between" mih={32}>
              <Text size="sm">
                {user.realname && <b>{user.realname}：</b>}
                {user.reason}
              </Text>
              {onHandOver && user.openwork > 0 && (
                <Button variant="default" size="compact-sm" flex="none" onClick={() => onHandOver(user)}>
                  移交并停用
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

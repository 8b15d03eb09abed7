import { Link } from '#ui/router/router.tsx';
import { Button, Stack, Text, Title } from '@mantine/core';

/** /404. Without an account there is no router: the button then loads the first page. */
export default function NotFound({ isPublic = false }: { isPublic?: boolean }) {
  return (
    <Stack align="center" gap="sm" py={80}>
      <Text fz={56} fw={700} lh={1} c="var(--accent)" aria-hidden>
        404
      </Text>
      <Title order={1} fz={20}>
        抱歉，您访问的页面不存在
      </Title>
      {isPublic ? (
        <Button component="a" href="/" mt="sm">
          返回首页
        </Button>
      ) : (
        <Button component={Link} to="/" mt="sm">
          返回首页
        </Button>
      )}
    </Stack>
  );
}

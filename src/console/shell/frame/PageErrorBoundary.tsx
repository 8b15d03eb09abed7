import { Component, type ErrorInfo, type ReactNode } from 'react';
import { CodeGoneError } from '#ui/router/lazyDialog.tsx';
import { ErrorState } from '#ui/feedback/states.tsx';

/** Keeps the frame usable when a page fails. If an update has replaced its code, it offers a reload. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override componentDidCatch(error: Error, { componentStack }: ErrorInfo) {
    console.error(error, componentStack);
  }
  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (error instanceof CodeGoneError) return <ErrorState error={error} retry={() => location.reload()} />;
    return <ErrorState error={new Error('页面出现错误')} retry={() => this.setState({ error: undefined })} />;
  }
}

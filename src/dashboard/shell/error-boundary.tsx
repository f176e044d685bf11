import { Component, type ReactNode } from "react";
import { PageCodeError } from "../api/transport/problem.js";
import { ErrorState } from "../design/feedback/error-state.js";
import { reload } from "./page-code.js";

interface ErrorBoundaryProps {
  /** Called when the failed page will be rendered again. */
  onAgain(): void;
  children: ReactNode;
}

/** If a page cannot be rendered or loaded, shows the error in its place. The rest of the dashboard stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  /** A person who leaves the failed page and comes back gets a new attempt. */
  override componentWillUnmount(): void {
    if (this.state.error !== null) this.props.onAgain();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ErrorState error={error} onRetry={this.retry} />;
  }

  private readonly retry = async (): Promise<void> => {
    if (this.state.error instanceof PageCodeError) await reload();
    this.props.onAgain();
    this.setState({ error: null });
  };
}

import { Component, type ReactNode } from "react";
import { ErrorState } from "../design/error-state.js";

/** A page that fails to render, or whose code cannot be loaded, leaves the rest standing. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ErrorState error={error} onRetry={async () => this.setState({ error: null })} />;
  }
}

/** Returns the context that an endpoint's secret is sealed for. */
export function endpointSecretContext(workspaceId: string, endpointId: string): string {
  return `event endpoint ${workspaceId} ${endpointId}`;
}

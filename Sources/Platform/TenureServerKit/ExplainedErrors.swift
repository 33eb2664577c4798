import TenureCommandLine
package import TenureStore

extension StoreError: ExplainedError {
    package var explanation: String { message + (cause.map { " (\($0))" } ?? "") }
}

extension ServerError: ExplainedError {
    package var explanation: String { message + (cause.map { " (\($0))" } ?? "") }
}

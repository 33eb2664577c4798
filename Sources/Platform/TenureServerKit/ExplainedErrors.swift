import TenureCommandLine
package import TenureStore

extension StoreError: CommandError.Explained {
    package var explanation: String { message + (cause.map { " (\($0))" } ?? "") }
}

extension ServerError: CommandError.Explained {
    package var explanation: String { message + (cause.map { " (\($0))" } ?? "") }
}

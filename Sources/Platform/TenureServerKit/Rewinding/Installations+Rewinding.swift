package import TenureCommandLine
import TenureStore

extension Installations {
    /// The detector of a server on a shared database; `nil` for a store in the data folder, which no failover replaces.
    ///
    /// - Parameters:
    ///   - load: Reads the local file; returns `nil` if there is none.
    ///   - save: Replaces the local file durably and atomically.
    package func rewindDetector(
        _ arguments: Parsed, log: any Log, load: () -> [UInt8]?, save: @escaping @Sendable ([UInt8]) throws -> Void
    ) throws(CommandError) -> RewindDetector? {
        guard (try? StoreLocation.named(by: arguments))?.isShared == true else { return nil }
        let clock = try Installation.clock(arguments)
        return RewindDetector(load: load, save: save, now: { clock.now() }, log: log)
    }
}

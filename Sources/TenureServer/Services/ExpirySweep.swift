import TenureServerKit
import TenureStore

/// Records expiries as time brings them, on one of the servers that share a store.
public struct ExpirySweep: Service {
    let store: any Store
    let expire: ExpireLicenses
    let interval: Duration
    let onFailure: @Sendable (ServerError) -> Void

    /// Sweeps at each interval until cancelled; a full batch is followed at once by the next.
    ///
    /// A server that does not lead keeps asking, so that it takes over soon after the one that does has died.
    public func run() async {
        while !Task.isCancelled {
            guard await store.lead(.expirySweep) else {
                try? await Task.sleep(for: min(interval, Self.patience))
                continue
            }
            do throws(ServerError) {
                if try await expire() == ExpireLicenses.batch { continue }
            } catch {
                onFailure(error)
            }
            try? await Task.sleep(for: interval)
        }
    }

    private static let patience = Duration.seconds(2)
}

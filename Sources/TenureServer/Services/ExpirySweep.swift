/// Records expiries as time brings them.
public struct ExpirySweep: Service {
    let expire: ExpireLicenses
    let interval: Duration
    let onFailure: @Sendable (ServerError) -> Void

    /// Sweeps at each interval until cancelled; a full batch is followed at once by the next.
    public func run() async {
        while !Task.isCancelled {
            do throws(ServerError) {
                if try await expire() == ExpireLicenses.batch { continue }
            } catch {
                onFailure(error)
            }
            try? await Task.sleep(for: interval)
        }
    }
}

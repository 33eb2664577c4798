import Foundation

extension LicenseManager {
    /// Decides the state from what is stored, publishes it, and has the server asked if it is time to.
    ///
    /// The state is right as soon as it is published: within milliseconds and without a network. Who is entitled never
    /// waits for more. Who is not waits for the server, where it could change that, but at most
    /// ``LicenseConfiguration/launchPatience``. The question goes on by itself in both cases, and its answer is
    /// published; no answer worsens no state. A program that soon ends calls ``refreshIfNeeded()`` before it does.
    public func checkOnLaunch() async {
        adopt(await engine.stand(reading: true))
        let question = Task { await refreshIfNeeded() }
        launchQuestion = question
        guard !isEntitled else { return }
        await wait(for: question, atMost: launchPatience)
    }

    /// Waits until a question is answered, or that long; it goes on in any case.
    private func wait(for question: Task<Void, Never>, atMost patience: Duration) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var waiting: CheckedContinuation<Void, Never>? = continuation
            let end = { @MainActor in
                waiting?.resume()
                waiting = nil
            }
            let timer = Task {
                try? await Task.sleep(for: patience)
                end()
            }
            Task {
                await question.value
                end()
                timer.cancel()
            }
        }
    }

    /// Asks the server if it is time to; call it whenever the app comes to the front.
    ///
    /// At most once in 5 minutes, and then when the last answer is older than 6 hours, when the lease or the license's term
    /// ends within 24, or when only the server can help. A server that cannot be reached changes no state. For a person
    /// who waits for it there is ``checkNow()``.
    ///
    /// Returns when the server has answered, or was not asked. A question that is cut with its program was not asked:
    /// the next launch asks it again.
    ///
    /// - Parameter age: How old the last answer may be; shorter before something that an old word should not permit.
    public func refreshIfNeeded(olderThan age: Duration = .seconds(6 * 3_600)) async {
        await engine.keepTime()
        adopt(await engine.refresh(on: .look, olderThan: age.components.seconds))
    }

    /// Asks the server now, because a person wants to know: who has connected to the internet, renewed a license, or
    /// been told that it runs again.
    ///
    /// Never mind the 5 minutes between two questions. Only a server that said when to ask again (`Retry-After`) is left
    /// alone until then, and within 10 s after a person's question the answer to it is given once more. One request.
    ///
    /// - Returns: `.done`, the server answered, with a yes or a no, and the state tells; `.unreached`, nobody could be
    ///   asked or may be yet, or the record cannot be read. Never `.refused`.
    @discardableResult
    public func checkNow() async -> LicenseAnswer {
        let answer = await engine.check()
        adopt(await engine.stand())
        return answer
    }

    /// Activates a license key on this device.
    ///
    /// - Returns: `.done`; `.refused` with the server's reasons, such as `license_unknown` or
    ///   `activation_limit_reached`; `.unreached`.
    /// - Throws: ``LicenseError``: `.notRead`, nobody was asked; `.notStored`, the activation could not be kept, and was
    ///   given back to the server or will be.
    @discardableResult
    public func activate(_ key: String) async throws(LicenseError) -> LicenseAnswer {
        try await act { () throws(LicenseError) in try await engine.activate(key) }
    }

    /// Ends the license's activation on this device; the state is then that of a device without a license.
    ///
    /// - Returns: `.done`, also when there was no license; `.unreached`, and the license stays.
    /// - Throws: ``LicenseError``: `.notRead`; `.notStored`, the activation has ended, but the record still names the license.
    @discardableResult
    public func deactivate() async throws(LicenseError) -> LicenseAnswer {
        try await act { () throws(LicenseError) in try await engine.deactivate() }
    }

    /// Starts the trial of this device; starting it again changes nothing.
    ///
    /// - Returns: `.done`, and the state tells whether the trial runs; `.refused`; `.unreached`, when no server could be
    ///   asked and the app was not built with a length.
    /// - Throws: ``LicenseError``: `.notRead`; `.notStored`, the trial is forgotten when the app ends.
    @discardableResult
    public func startTrial() async throws(LicenseError) -> LicenseAnswer {
        try await act { () throws(LicenseError) in try await engine.startTrial() }
    }

    /// Keeps the license fresh until the task is cancelled: sleeps until the state changes by itself or the lease is to
    /// be renewed, an hour before it ends.
    ///
    /// Run it once, after ``checkOnLaunch()``, for example in `.task { await manager.run() }`. An idle app wakes for
    /// nothing else.
    public func run() async {
        while !Task.isCancelled {
            let standing = await engine.stand()
            adopt(standing)
            if await sleepUntilWake(from: Date(standing.now)), !Task.isCancelled {
                adopt(await engine.refresh(on: .idle))
            }
        }
    }

    func act(
        _ body: () async throws(LicenseError) -> LicenseAnswer
    ) async throws(LicenseError) -> LicenseAnswer {
        do throws(LicenseError) {
            let answer = try await body()
            adopt(await engine.stand())
            return answer
        } catch {
            adopt(await engine.stand())
            throw error
        }
    }
}

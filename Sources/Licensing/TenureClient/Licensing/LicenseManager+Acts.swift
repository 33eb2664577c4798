import TenureFoundation

extension LicenseManager {
    /// Decides the state from what is stored, publishes it, and contacts the server if a check is due.
    ///
    /// The state is published within milliseconds, without the network. If the user is entitled, this returns right
    /// away. Otherwise it waits for the server, but no longer than ``LicenseConfiguration/launchPatience``. In both
    /// cases the request continues in the background and its result is published. If the server can't be reached, the
    /// state doesn't change. A program that is about to exit should call ``refreshIfNeeded(olderThan:)`` first.
    public func checkOnLaunch() async {
        adopt(await engine.stand(reading: true))
        let task = Task { await refreshIfNeeded() }
        launchQuestion = task
        guard !isEntitled else { return }
        await wait(for: task, atMost: launchPatience)
    }

    /// Waits until a request has finished or the time is up; the request continues in either case.
    private func wait(for task: Task<Void, Never>, atMost timeout: Duration) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var waiting: CheckedContinuation<Void, Never>? = continuation
            let end = { @MainActor in
                waiting?.resume()
                waiting = nil
            }
            let timer = Task {
                try? await Task.sleep(for: timeout)
                end()
            }
            Task {
                await task.value
                end()
                timer.cancel()
            }
        }
    }

    /// Contacts the server if a check is due; call it whenever the app becomes active.
    ///
    /// No request is sent for 5 minutes after one that the server responded to. A check is due if one of these is true:
    ///
    /// - The last response is older than 6 hours.
    /// - The lease or the license's term ends within 24 hours.
    /// - Something is missing that only the server can provide.
    ///
    /// If the server can't be reached, the state doesn't change. When the user is waiting for the result, call
    /// ``checkNow()`` instead.
    ///
    /// Returns when the server has responded or if no check was due. If the program exits during the request, the next
    /// launch repeats it.
    ///
    /// - Parameter age: The age from which the last response is stale. Pass a shorter one before an action that
    ///   shouldn't rely on an old response.
    public func refreshIfNeeded(olderThan age: Duration = .seconds(6 * 3_600)) async {
        await engine.keepTime()
        adopt(await engine.refresh(on: .look, olderThan: age.components.seconds))
    }

    /// Contacts the server if it couldn't be reached before; call it when the system reports a usable network.
    ///
    /// If the server responded to the last request, this sends none. On Apple systems,
    /// `keepsLicenseFresh(_:background:)` calls it.
    public func networkMayBeBack() async {
        adopt(await engine.refresh(on: .online))
    }

    /// Contacts the server now, because the user asked for it.
    ///
    /// Offer this to users who have just connected to the internet, renewed their license, or resolved a problem with
    /// the vendor.
    ///
    /// The limit of one request in 5 minutes doesn't apply. If the server sent a time to try again (`Retry-After`), no
    /// request is sent before that, for an hour at most. Within 10 seconds of a previous call, its result is returned
    /// again.
    ///
    /// - Returns: `.done` if the server responded, even with a refusal; see the state. `.unreached` if the server
    ///   couldn't be reached or asked to wait, or if the record can't be read. Never `.refused`.
    @discardableResult
    public func checkNow() async -> LicenseAnswer {
        let answer = await engine.check()
        adopt(await engine.stand())
        return answer.localized(style)
    }

    /// Activates a license key on this device.
    ///
    /// - Returns: `.done`; `.refused` with the server's reasons, such as `license_unknown` or
    ///   `activation_limit_reached`; `.unreached`.
    /// - Throws: ``LicenseError``: `.notRead`, no request was sent; `.notStored`, the activation couldn't be stored and
    ///   has been or will be released.
    @discardableResult
    public func activate(_ key: String) async throws(LicenseError) -> LicenseAnswer {
        try await act { () throws(LicenseError) in try await engine.activate(key) }
    }

    /// Deactivates the license on this device; the state is then that of a device without a license.
    ///
    /// - Returns: `.done`, also if there was no license; `.unreached`, in which case the license stays active.
    /// - Throws: ``LicenseError``: `.notRead`; `.notStored`, the activation has ended but the record still contains the
    ///   license.
    @discardableResult
    public func deactivate() async throws(LicenseError) -> LicenseAnswer {
        try await act { () throws(LicenseError) in try await engine.deactivate() }
    }

    /// Starts this device's trial; calling it again changes nothing.
    ///
    /// If the server can't be reached, the trial starts offline, provided that its length is known and no earlier
    /// record was lost.
    ///
    /// - Returns: `.done`, and the state says whether the trial is running; `.refused`; `.unreached` if the trial could
    ///   start neither on the server nor offline.
    /// - Throws: ``LicenseError``: `.notRead`; `.notStored`, the trial is forgotten when the app quits.
    @discardableResult
    public func startTrial() async throws(LicenseError) -> LicenseAnswer {
        try await act { () throws(LicenseError) in try await engine.startTrial() }
    }

    /// Keeps the license up to date until the task is cancelled.
    ///
    /// It sleeps until the state is due to change or the lease needs renewal, an hour before its end. If the server
    /// can't be reached, it tries again after 1, 2, 4 and up to 60 seconds, for ten minutes. It does so only while
    /// ``isInForeground`` is set and the user isn't entitled. An idle app wakes for nothing else. Run it once, after
    /// ``checkOnLaunch()``, for example in `.task { await manager.run() }`.
    public func run() async {
        while !Task.isCancelled {
            let status = await engine.stand(isInForeground: isInForeground)
            adopt(status)
            if await sleepUntilWake(from: Date(status.now)), !Task.isCancelled {
                adopt(await engine.refresh(on: isInForeground ? .waiting : .idle))
            }
        }
    }

    func act(
        _ body: () async throws(LicenseError) -> LicenseAnswer
    ) async throws(LicenseError) -> LicenseAnswer {
        do throws(LicenseError) {
            let answer = try await body()
            adopt(await engine.stand())
            return answer.localized(style)
        } catch {
            adopt(await engine.stand())
            throw error
        }
    }
}

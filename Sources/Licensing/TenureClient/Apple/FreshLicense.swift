#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Checks the license when the view appears and keeps it up to date while the view exists.
        ///
        /// The server is contacted when the scene becomes active, when the network is available again, and an hour
        /// before a lease ends. Apply this once, to the app's outermost view.
        ///
        /// - Parameter background: The identifier that you pass to `refreshesLicense(_:as:)`, on iOS. When the app goes
        ///   to the background, the system is asked to wake it in time.
        public func keepsLicenseFresh(_ manager: LicenseManager, background: String? = nil) -> some View {
            modifier(FreshLicense(manager: manager, background: background))
        }
    }

    private struct FreshLicense: ViewModifier {
        let manager: LicenseManager
        let background: String?
        @Environment(\.scenePhase) private var phase

        func body(content: Content) -> some View {
            content
                .task {
                    await manager.checkOnLaunch()
                    await manager.run()
                }
                .task { await manager.refreshWhenOnline() }
                .onChange(of: phase) { phase in
                    manager.isInForeground = phase != .background
                    if phase == .active { Task { await manager.refreshIfNeeded() } }
                    #if canImport(BackgroundTasks) && canImport(UIKit)
                        if phase == .background, let background { manager.scheduleBackgroundRefresh(background) }
                    #endif
                }
        }
    }
#endif

#if canImport(Network)
    import Dispatch
    import Network

    extension LicenseManager {
        /// Contacts the server each time the system reports a usable network, if the last request had no response.
        ///
        /// Returns when the task is cancelled.
        public func refreshWhenOnline() async {
            for await isOnline in Self.networkChanges() where isOnline { await networkMayBeBack() }
        }

        private static func networkChanges() -> AsyncStream<Bool> {
            AsyncStream { stream in
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { path in stream.yield(path.status == .satisfied) }
                stream.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: DispatchQueue(label: "tenure.network"))
            }
        }
    }
#endif

#if canImport(BackgroundTasks) && canImport(UIKit)
    import BackgroundTasks
    import TenureFoundation
    public import SwiftUI

    extension LicenseManager {
        /// Asks the system to wake the app when the lease needs renewal or the state is due to change.
        ///
        /// A lease is renewed an hour before it ends. Call this when the app goes to the background.
        ///
        /// The identifier must be listed in `BGTaskSchedulerPermittedIdentifiers` in the app's `Info.plist`. If
        /// background refresh is switched off, this has no effect and the license is renewed when the app is next used.
        public func scheduleBackgroundRefresh(_ identifier: String) {
            guard let wakes else { return BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier) }
            let request = BGAppRefreshTaskRequest(identifier: identifier)
            request.earliestBeginDate = wakes
            try? BGTaskScheduler.shared.submit(request)
        }
    }

    extension Scene {
        /// Renews the license when the system wakes the app, and schedules the next wake-up.
        ///
        /// Use the same identifier as in `keepsLicenseFresh(_:background:)`. If `manager` is `nil`, this does nothing.
        ///
        /// ```swift
        /// WindowGroup { Notes() }
        ///     .refreshesLicense(manager, as: "com.acme.notes.license")
        /// ```
        public func refreshesLicense(_ manager: LicenseManager?, as identifier: String) -> some Scene {
            backgroundTask(.appRefresh(identifier)) {
                // The system may suspend the process as soon as this returns, so wait for the response.
                await manager?.refreshIfNeeded()
                await manager?.scheduleBackgroundRefresh(identifier)
            }
        }
    }
#endif

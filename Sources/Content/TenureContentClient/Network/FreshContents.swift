#if canImport(BackgroundTasks) && canImport(UIKit)
    import BackgroundTasks
    import TenureFoundation
    public import SwiftUI

    extension ContentLibrary {
        /// Schedules a background refresh for ``nextRunAt`` and records the request in ``runs``.
        ///
        /// Call it when the app goes to the background. The identifier must be listed under
        /// `BGTaskSchedulerPermittedIdentifiers` in the app's `Info.plist`. If background refresh is switched off,
        /// nothing is scheduled; content is renewed when the app is next used.
        public func scheduleBackgroundRun(_ identifier: String) {
            guard let wakes = nextRunAt else {
                return BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
            }
            let request = BGAppRefreshTaskRequest(identifier: identifier)
            request.earliestBeginDate = wakes
            guard (try? BGTaskScheduler.shared.submit(request)) != nil else { return }
            backgroundAsked()
        }
    }

    extension Scene {
        /// Renews content when the system wakes the app, then schedules the next background run.
        ///
        /// Does nothing if the library is `nil`.
        ///
        /// ```swift
        /// WindowGroup { Lessons() }
        ///     .renewsContents(library, as: "com.acme.lessons.contents")
        /// ```
        public func renewsContents(_ library: ContentLibrary?, as identifier: String) -> some Scene {
            backgroundTask(.appRefresh(identifier)) {
                await library?.runInBackground()
                await library?.scheduleBackgroundRun(identifier)
            }
        }
    }
#endif

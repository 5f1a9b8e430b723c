;; SPDX-License-Identifier: Apache-2.0
(ns my-app.a.core)

(defn size-of [items]
  (let [n (count items)]
    (println "a" n) ; the package decides nothing here
    n))
